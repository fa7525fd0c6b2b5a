/** A part of the memory as text. */
export declare function textAt(bytes: Uint8Array, from: number, to: number): string;
/** A part of the memory that probably is this text. */
export declare function textLike(text: string, bytes: Uint8Array, from: number, to: number): string;
/** A part of the memory that probably came before, such as the name of a member. */
export declare function nameAt(bytes: Uint8Array, from: number, to: number): string;
