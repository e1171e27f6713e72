/** A pause that can be ended before its time. */
export class Pause {
  #end: (() => void) | undefined;

  async take(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#end = undefined;
  }

  /** Does nothing when no pause runs. */
  end(): void {
    this.#end?.();
  }
}
