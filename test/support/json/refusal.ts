import { JavaError } from '../../../src/java-compat/java-error.js';

/** The error of the reference that a call ends in. */
export function refusal(call: () => unknown): JavaError {
  try {
    call();
  } catch (error) {
    if (error instanceof JavaError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
