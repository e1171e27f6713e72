/** What the members of a union have together, each key of one of them. */
export type Merged<Union> = {
  readonly [Key in KeyIn<Union>]: Union extends { readonly [Own in Key]: infer Value } ? Value : never;
};

type KeyIn<Union> = Union extends unknown ? keyof Union : never;
