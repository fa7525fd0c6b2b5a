use patchwire_async::Partial;

#[derive(serde::Deserialize, Partial)]
pub struct Report<'a> {
    pub title: &'a str,
}

#[derive(serde::Deserialize, Partial)]
pub struct Page<T> {
    pub items: Vec<T>,
}

#[derive(serde::Deserialize, Partial)]
pub struct Misspelt {
    #[partial(hole)]
    pub title: String,
}

#[derive(serde::Deserialize, Partial)]
#[partial(name = "not a name")]
pub struct Named {
    pub title: String,
}

fn main() {}
