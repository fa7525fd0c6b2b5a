// Types of paths and of unfinished values.
export {};
