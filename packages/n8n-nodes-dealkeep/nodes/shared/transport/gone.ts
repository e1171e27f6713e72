/** What a request answers whose record may be gone, and is. */
export const gone = Symbol('gone');
