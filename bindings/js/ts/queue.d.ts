/** A queue whose ends both cost the same, however much waits: `shift` of a long list moves all of it. */
export declare class Queue<V> {
    #private;
    get isEmpty(): boolean;
    push(item: V): void;
    /** The oldest item; only where there is one. */
    take(): V;
}
