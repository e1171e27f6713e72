/** What one check found. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failed';
  finding: string;
  /** What to do about it; absent when all is well. */
  mend?: string;
}
