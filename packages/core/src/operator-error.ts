/** Something that the operator asked for cannot be done; the sentence says why and what would help. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
