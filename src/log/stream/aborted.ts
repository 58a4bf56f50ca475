import { fromEvent, type Observable, of } from 'rxjs';

/** Emits once when the signal aborts, or at once if it is already aborted. */
export function aborted(signal: AbortSignal): Observable<unknown> {
  return signal.aborted ? of(undefined) : fromEvent(signal, 'abort');
}
