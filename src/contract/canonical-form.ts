/** What the two canonical forms differ in. Everything else (what is refused, how containers are written) they share. */
export interface CanonicalForm {
  /** JSON text of a well-formed string. */
  readonly string: (text: string) => string;
  /** Whether an exact number (see `isExactNumber`) may be signed. Both forms write it as ECMAScript does. */
  readonly allows: (value: number) => boolean;
  /** Order of member names: negative if `a` comes first. */
  readonly compare: (a: string, b: string) => number;
}
