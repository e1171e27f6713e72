/** A decimal number, exactly. Amounts are summed up in these: what a shop multiplies must not be off by a cent. */
export class Decimal {
  readonly #digits: bigint;
  /** How many of the digits are decimals. */
  readonly #scale: number;

  private constructor(digits: bigint, scale: number) {
    this.#digits = digits;
    this.#scale = scale;
  }

  /** What a number says in its shortest form, in which JSON has it. */
  static of(value: number): Decimal {
    const [mantissa = '', exponent = '0'] = String(value).split('e');
    const [whole = '', decimals = ''] = mantissa.split('.');
    const scale = decimals.length - Number(exponent);
    return new Decimal(BigInt(whole + decimals) * 10n ** BigInt(Math.max(0, -scale)), Math.max(0, scale));
  }

  static sum(all: readonly Decimal[]): Decimal {
    return all.reduce((sum, each) => sum.plus(each), Decimal.of(0));
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.#scale, other.#scale);
    return new Decimal(this.#digitsAt(scale) + other.#digitsAt(scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(new Decimal(-other.#digits, other.#scale));
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.#digits * other.#digits, this.#scale + other.#scale);
  }

  /** So many per cent of it. */
  percent(rate: Decimal): Decimal {
    return this.times(new Decimal(rate.#digits, rate.#scale + 2));
  }

  /** With so many decimals at most, rounded half away from zero. */
  rounded(decimals: number): Decimal {
    if (this.#scale <= decimals) return this;
    const unit = 10n ** BigInt(this.#scale - decimals);
    const half = this.#digits < 0n ? -unit / 2n : unit / 2n;
    return new Decimal((this.#digits + half) / unit, decimals);
  }

  equals(other: Decimal): boolean {
    return this.minus(other).#digits === 0n;
  }

  toNumber(): number {
    return Number(`${this.#digits}e-${this.#scale}`);
  }

  #digitsAt(scale: number): bigint {
    return this.#digits * 10n ** BigInt(scale - this.#scale);
  }
}
