//! A share of a whole, for people.

use core::fmt;

/// `count` out of `of`. Prints a percentage; only exact values print as 0% and 100%.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    pub(crate) count: u64,
    pub(crate) of: u64,
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, of } = *self;
        let rounded = (u128::from(count) * 200 + u128::from(of)) / (u128::from(of) * 2).max(1);
        match rounded {
            _ if of == 0 => f.pad("-"),
            0 if count > 0 => f.pad("<1%"),
            100 if count < of => f.pad(">99%"),
            percent => f.pad(&format!("{percent}%")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn none_and_all_are_exact() {
        let printed = |count, of| Share { count, of }.to_string();
        assert_eq!([printed(0, 7), printed(7, 7), printed(0, 0)], ["0%", "100%", "-"]);
        assert_eq!([printed(1, 1000), printed(999, 1000)], ["<1%", ">99%"]);
        assert_eq!([printed(1, 2), printed(1, 3), printed(2, 3)], ["50%", "33%", "67%"]);
        assert_eq!(printed(u64::MAX, u64::MAX), "100%");
        assert_eq!(
            format!("{:>5}|{:<5}|", Share { count: 1, of: 4 }, Share { count: 1, of: 1 }),
            "  25%|100% |"
        );
    }
}
