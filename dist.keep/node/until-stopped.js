/** Ends with SIGTERM or SIGINT, or by the signal. */
export function untilStopped(signal) {
    return new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve(), { once: true });
        process.once('SIGTERM', () => resolve());
        process.once('SIGINT', () => resolve());
    });
}
//# sourceMappingURL=until-stopped.js.map