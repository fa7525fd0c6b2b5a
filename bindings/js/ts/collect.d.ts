/** Calls `free` with what was registered, once its owner is collected. Some workers never say when that is. */
export declare function whenCollected<H>(free: (held: H) => void): Pick<FinalizationRegistry<H>, "register" | "unregister">;
