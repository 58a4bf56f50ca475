/** Cleanup at the end of a measurement, as in a test. */
export class Endings {
  private readonly endings: (() => unknown)[] = [];

  teardown(end: () => unknown): void {
    this.endings.push(end);
  }

  async run(): Promise<void> {
    for (const end of this.endings.splice(0).reverse()) await end();
  }
}
