/** Functions that run at the end of a measurement, as the teardown of a test does. */
export class Endings {
  private readonly endings: (() => unknown)[] = [];

  teardown(end: () => unknown): void {
    this.endings.push(end);
  }

  async run(): Promise<void> {
    for (const end of this.endings.splice(0).reverse()) await end();
  }
}
