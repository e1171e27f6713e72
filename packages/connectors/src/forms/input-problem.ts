/** What a person filled in cannot be meant; its message says which field and what to do, before anything is sent. */
export class InputProblem extends Error {
  override readonly name = 'InputProblem';
}
