//! Specs by number.

use std::cell::RefCell;

use patchwire::Spec;
use patchwire_js_feed::store::Numbered;

thread_local! {
    static SPECS: RefCell<Numbered<Spec>> = const { RefCell::new(Numbered::new()) };
}

pub(crate) fn add(spec: Spec) -> u32 {
    SPECS.with_borrow_mut(|all| all.add(spec))
}

pub(crate) fn get(number: u32) -> Option<Spec> {
    SPECS.with_borrow_mut(|all| all.slot(number)?.clone())
}

pub(crate) fn remove(number: u32) {
    SPECS.with_borrow_mut(|all| drop(all.remove(number)));
}
