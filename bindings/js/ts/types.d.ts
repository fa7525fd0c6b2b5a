type Primitive = null | undefined | boolean | number | bigint | string | symbol | Date;
/** A value that is still being written: every member may be missing, and every list short. */
export type DeepPartial<T> = unknown extends T ? T : T extends Primitive ? T : T extends readonly (infer Item)[] ? DeepPartial<Item>[] : T extends object ? {
    [Name in keyof T]?: DeepPartial<T[Name]>;
} : T;
/** The item of a list, or the member of a map. */
export type ItemOf<T> = unknown extends T ? unknown : T extends readonly (infer Item)[] ? Item : T extends object ? T[keyof T] : never;
type Indexed<T, Index extends string> = T extends readonly unknown[] ? (number extends T["length"] ? ItemOf<T> : Index extends keyof T ? T[Index] : ItemOf<T>) : ItemOf<T>;
/** The items that a path of `each` has: those of a list, which may be written with `[*]` behind it. */
export type EachOf<T, Path> = Path extends `${infer List}[*]` ? ItemOf<TypeAtPath<T, List>> : ItemOf<TypeAtPath<T, Path>>;
type Member<T, Name extends string> = unknown extends T ? unknown : Name extends "*" ? ItemOf<T> : T extends object ? (Name extends keyof T ? T[Name] : never) : never;
/** The type of the value at a path such as `rows[0].name` or `rows[*]`. `never` if there is no such path. */
export type TypeAtPath<T, Path> = Path extends "" ? T : Path extends `["${infer Name}"]${infer Rest}` ? TypeAtPath<Member<T, Name>, Rest> : Path extends `[${infer Index}]${infer Rest}` ? TypeAtPath<Indexed<T, Index>, Rest> : Path extends `.${infer Rest}` ? TypeAtPath<T, Rest> : Path extends `${infer Name}.${infer Rest}` ? Named<T, Name, `.${Rest}`> : Path extends `${infer Name}[${infer Rest}` ? TypeAtPath<Member<T, Name>, `[${Rest}`> : Path extends string ? Member<T, Path> : never;
type Named<T, Name extends string, Rest extends string> = Name extends `${infer First}[${infer Index}` ? TypeAtPath<Member<T, First>, `[${Index}${Rest}`> : TypeAtPath<Member<T, Name>, Rest>;
type Joined<Sub extends string> = string extends Sub ? `.${string}` | `[${string}` : Sub extends `[${string}` ? Sub : `.${Sub}`;
type Written<Name extends string> = Name extends `${string}${" " | "." | "[" | "]" | "/" | ":"}${string}` ? `["${Name}"]` : Name;
/** The paths that a type has, six levels deep. A type whose members are not known has any path. */
export type PathOf<T> = PathBelow<T, []>;
type PathBelow<T, Above extends 0[]> = unknown extends T ? string : Above["length"] extends 6 ? never : T extends Primitive ? never : T extends readonly (infer Item)[] ? Itemed<PathBelow<NonNullable<Item>, [...Above, 0]>> : T extends object ? (string extends keyof T ? string : Membered<T, Above>) : never;
type Itemed<Sub extends string> = `[${number | "*"}]` | ([Sub] extends [never] ? never : `[${number | "*"}]${Joined<Sub>}`);
type Membered<T, Above extends 0[]> = {
    [Name in keyof T & string]: Written<Name> | (PathBelow<NonNullable<T[Name]>, [...Above, 0]> extends infer Sub extends string ? `${Written<Name>}${Joined<Sub>}` : never);
}[keyof T & string];
export {};
