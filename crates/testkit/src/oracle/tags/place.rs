//! Which markers count at a place, and which elements they end.

use super::profile::{Body, Family, Inside, Mismatch, PARENT, Profile, REASONING, Same, TOP};
use super::{Reason, marker::Match};

/// An open element.
#[derive(Debug, Clone)]
pub struct OpenElement<'p> {
    /// Its family.
    pub family: &'p Family,
    /// The parameters of its opener.
    pub params: Vec<(String, String)>,
    /// The channel of its text.
    pub channel: String,
    /// Its text so far, in the form that [`super::code`] needs.
    pub text: Vec<u8>,
    /// Whether its opener was in the text.
    pub by_marker: bool,
}

impl<'p> OpenElement<'p> {
    /// Opens an element inside others.
    #[must_use]
    pub fn new(family: &'p Family, params: Vec<(String, String)>, around: &[Self]) -> Self {
        let channel = if family.channel == PARENT {
            around.last().map_or(TOP, |parent| &parent.channel)
        } else {
            &family.channel
        };
        let channel = channel.to_owned();
        Self { family, params, channel, text: Vec::new(), by_marker: true }
    }

    fn is_reasoning(&self) -> bool {
        self.channel == REASONING
    }
}

/// The body of the innermost element; `mixed` outside elements.
#[must_use]
pub fn body(open: &[OpenElement<'_>]) -> Body {
    open.last().map_or(Body::Mixed, |element| element.family.body)
}

/// Whether a body may contain elements and comments.
#[must_use]
pub const fn takes_elements(body: Body) -> bool {
    matches!(body, Body::Mixed | Body::Xml)
}

/// Why each open element closes that an opener ends, the innermost first; none if the opener does not count
/// here.
#[must_use]
pub fn ends_by_opener(open: &[OpenElement<'_>], opener: &Family) -> Option<Vec<Reason>> {
    if !is_opener_enabled(open, opener) {
        return None;
    }
    let mut ends = Vec::new();
    if opener.inside == Inside::Interrupt {
        let reasoning = open.iter().rev().take_while(|element| element.is_reasoning());
        ends.extend(reasoning.map(|_| Reason::Interrupted));
    }
    let left = &open[..open.len() - ends.len()];
    let akin = left.iter().rposition(|element| element.family.is_akin(opener));
    match (opener.same(), akin) {
        (Same::Restart, Some(at)) => {
            ends.extend(left[at + 1..].iter().map(|_| Reason::CloseThrough));
            ends.push(Reason::Reopened);
        }
        (Same::Sibling, Some(at)) if at + 1 == left.len() => ends.push(Reason::SiblingOpener),
        _ => {}
    }
    let around = open[..open.len() - ends.len()].last();
    may_stand_in(opener, around).then_some(ends)
}

fn is_opener_enabled(open: &[OpenElement<'_>], opener: &Family) -> bool {
    let Some(innermost) = open.last() else { return true };
    let own = opener.name == innermost.family.name;
    let akin = opener.is_akin(innermost.family);
    let interrupts = innermost.is_reasoning() && opener.inside == Inside::Interrupt;
    match innermost.family.body {
        Body::Mixed | Body::Xml => !(akin && opener.same() == Same::Literal),
        Body::Text | Body::Record => interrupts || (akin && opener.same() == Same::Restart),
        Body::Raw => {
            let stands = !opener.within.is_empty() && opener.within == innermost.family.within;
            akin && (own || stands) && opener.same() == Same::Sibling
        }
        Body::Json => akin && matches!(opener.same(), Same::Restart | Same::Sibling),
        Body::Fields => false,
    }
}

fn may_stand_in(opener: &Family, around: Option<&OpenElement<'_>>) -> bool {
    let stands = |around: &OpenElement<'_>| opener.within.contains(&around.family.name);
    opener.within.is_empty() || around.is_some_and(stands)
}

/// The effect of a closer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// It closes this element, and all elements inside it.
    Ends(usize, Reason),
    /// It has nothing to close.
    Stray,
}

/// The effect of a closer at its place; none if it does not count there. Does not check for a legal
/// follower.
#[must_use]
pub fn closing(open: &[OpenElement<'_>], closer: &Family, found: &Match) -> Option<Closing> {
    let exact = open.iter().rposition(|element| is_of(element, closer, found));
    let body = body(open);
    if let Some(at) = exact {
        return Some(Closing::Ends(at, Reason::Observed));
    }
    let own = |element: &OpenElement<'_>| element.family.name == closer.name;
    let may_differ = closer.mismatch == Mismatch::Close;
    let other = |element: &OpenElement<'_>| match element.family.name == closer.name {
        true => may_differ,
        // Inside data only the element's own closer is a closer.
        false => !is_data(body) && element.family.is_akin(closer),
    };
    if let Some(at) = open.iter().rposition(own).filter(|_| may_differ) {
        return Some(Closing::Ends(at, Reason::Mismatched));
    }
    if let Some(at) = open.iter().rposition(other) {
        return Some(Closing::Ends(at, Reason::Mismatched));
    }
    let is_known = open.iter().any(|element| element.family.is_akin(closer));
    let counts = takes_elements(body) || (!is_data(body) && is_known);
    counts.then_some(Closing::Stray)
}

const fn is_data(body: Body) -> bool {
    matches!(body, Body::Raw | Body::Json | Body::Fields)
}

/// Whether a closer belongs to an element: to its family, and with equal parameters.
#[must_use]
pub fn is_of(element: &OpenElement<'_>, closer: &Family, found: &Match) -> bool {
    element.family.name == closer.name
        && found.params.iter().all(|param| {
            let opener = element.params.iter().find(|(name, _)| *name == param.0);
            opener.is_none_or(|opener| opener == param)
        })
}

/// The openers that may follow an element directly inside `around`.
pub fn siblings<'p>(
    profile: &'p Profile,
    around: &OpenElement<'p>,
) -> impl Iterator<Item = &'p Family> {
    let name = around.family.name.clone();
    profile.families.iter().filter(move |family| family.within.contains(&name))
}
