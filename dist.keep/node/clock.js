export const machineClock = {
    speed: 1,
    now: Date.now,
    untilMs: (timeMs) => Math.max(0, timeMs - Date.now()),
};
/** A clock that shows `startMs` now and runs `speed` times as fast as the machine's. */
export function createFastClock(startMs, speed) {
    const started = performance.now();
    const now = () => startMs + (performance.now() - started) * speed;
    return { speed, now: () => Math.floor(now()), untilMs: (timeMs) => Math.max(0, (timeMs - now()) / speed) };
}
//# sourceMappingURL=clock.js.map