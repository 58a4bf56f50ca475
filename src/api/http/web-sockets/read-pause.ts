import type { WebSocket } from 'ws';

const UNLIMITED = Number.POSITIVE_INFINITY;

/** Limits at which the server stops reading from a connection. An undefined limit does not apply. */
interface PauseLimits {
  /** Number of unanswered messages. */
  readonly messagesMax?: number;
  /** Size of all unanswered messages, in bytes. */
  readonly bytesMax?: number;
  /** Number of unsent bytes. */
  readonly unsentBytesMax?: number;
}

/**
 * Stops reading a WebSocket while one of its limits is reached. A client that sends faster than the server answers, or
 * that does not read the answers, can then send only until the buffers of the operating system are full.
 */
export class ReadPause {
  private readonly socket: WebSocket;
  private readonly limits: PauseLimits;
  private messages = 0;
  private bytes = 0;

  constructor(socket: WebSocket, limits: PauseLimits) {
    this.socket = socket;
    this.limits = limits;
  }

  /** Counts a message that the server has started to process. */
  started(bytes: number): void {
    this.messages++;
    this.bytes += bytes;
    this.update();
  }

  /** Counts a message as processed. */
  ended(bytes: number): void {
    this.messages--;
    this.bytes -= bytes;
    this.update();
  }

  /**
   * Pauses or resumes reading, according to the limits. Must be called after each change of the number of unsent bytes.
   */
  update(): void {
    const { messagesMax = UNLIMITED, bytesMax = UNLIMITED, unsentBytesMax = UNLIMITED } = this.limits;
    const isBusy =
      this.messages >= messagesMax || this.bytes >= bytesMax || this.socket.bufferedAmount > unsentBytesMax;
    if (isBusy && !this.socket.isPaused) this.socket.pause();
    else if (!isBusy && this.socket.isPaused) this.socket.resume();
  }
}
