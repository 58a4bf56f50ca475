import { fromEvent, type Observable, of } from 'rxjs';

/** Emits once the signal is aborted. */
export function aborted(signal: AbortSignal): Observable<unknown> {
  return signal.aborted ? of(undefined) : fromEvent(signal, 'abort');
}
