// What waits to be taken, in the order in which it came.
/** A queue whose ends both cost the same, however much waits: `shift` of a long list moves all of it. */
export class Queue {
    #items = [];
    #at = 0;
    get isEmpty() {
        return this.#at === this.#items.length;
    }
    push(item) {
        this.#items.push(item);
    }
    /** The oldest item; only where there is one. */
    take() {
        const item = this.#items[this.#at];
        this.#at += 1;
        if (this.isEmpty)
            [this.#items, this.#at] = [[], 0];
        return item;
    }
}
