import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { ExecutedChanges } from './executed-changes.js';
if (!isMainThread && parentPort !== null) {
    const port = parentPort;
    const { name, ...options } = workerData;
    const executed = new ExecutedChanges(options, name);
    let last = Promise.resolve();
    const answer = async (number) => {
        try {
            return { record: await executed.recordOf(number) };
        }
        catch (error) {
            return { error: error instanceof Error ? error.message : String(error) };
        }
    };
    port.on('message', (message) => {
        if (message === 'close')
            executed.stop();
        last = last.then(async () => {
            if (message !== 'close')
                return port.postMessage(await answer(message));
            await executed.close();
            port.close();
        });
    });
}
//# sourceMappingURL=executed-changes-worker.js.map