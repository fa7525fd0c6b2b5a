// Memory of the module that is given back when its owner is collected.
/** Calls `free` with what was registered, once its owner is collected. Some workers never say when that is. */
export function whenCollected(free) {
    if (typeof FinalizationRegistry !== "undefined")
        return new FinalizationRegistry(free);
    return { register: () => { }, unregister: () => false };
}
