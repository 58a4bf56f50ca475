import { JavaError } from '../../../src/java-compat/java-error.js';

/** Returns the java-tron error that a call throws. */
export function refusal(call: () => unknown): JavaError {
  try {
    call();
  } catch (error) {
    if (error instanceof JavaError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
