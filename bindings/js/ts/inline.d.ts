/** The bytes of the module. The script is written by the build. */
export function bytes(): Promise<Uint8Array<ArrayBuffer>>;
