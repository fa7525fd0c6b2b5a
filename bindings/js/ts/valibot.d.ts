/** What is read of a schema of valibot. */
interface Valibot {
    readonly type: string;
    readonly entries?: Readonly<Record<string, Valibot>>;
    readonly item?: Valibot;
    readonly items?: readonly Valibot[];
    readonly value?: Valibot;
    readonly wrapped?: Valibot;
    readonly options?: readonly unknown[];
    readonly literal?: unknown;
    readonly pipe?: readonly Valibot[];
}
type Json = Record<string, unknown>;
/** A schema of valibot as JSON Schema. */
export declare function ofValibot(schema: Valibot): Json;
export {};
