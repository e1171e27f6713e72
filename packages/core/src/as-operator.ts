import { OperatorError } from './operator-error.ts';
import { Problem } from './problem.ts';

/** Runs work for an operator: what is refused is said in one line, beginning with the option that it is about. */
export async function asOperator<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) throw new OperatorError(sentenceOf(error));
    throw error;
  }
}

function sentenceOf(problem: Problem): string {
  const { message, detail } = problem.body('en').error;
  const [first]: { path: string; message: string }[] = problem.fields ? Object(detail).fields : [];
  return first ? `--${first.path}: ${first.message}` : message;
}
