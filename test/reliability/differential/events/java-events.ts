import { ALONE, JavaProcess } from '../../reference/java-process.js';

/** One message of java-tron's native queue. */
export interface Published {
  readonly frame: string;
  /** JSON text of the message. */
  readonly payload: string;
}

/** Result of a pushed block on java-tron, with the messages that it sent. */
export interface JavaPush {
  /** Result of the push: `taken` if java-tron accepted the block, otherwise the class name of the exception. */
  readonly answer: string;
  /** Id of the head after the push, in hex. */
  readonly head: string;
  readonly published: readonly Published[];
}

/** java-tron with events enabled, controlled by `reference/EventedNode.java`. */
export class JavaEvents {
  private readonly java: JavaProcess;

  /**
   * @param reference folder of a compiled java-tron
   * @param folder folder with `config.conf`
   */
  constructor(reference: string, folder: string) {
    this.java = new JavaProcess('EventedNode', reference, folder, [...ALONE, '--es']);
  }

  /** Waits until java-tron has started. */
  async begin(): Promise<void> {
    await this.java.answer();
  }

  push(block: Uint8Array): Promise<JavaPush> {
    return this.request(Buffer.from(block).toString('hex'));
  }

  /** Restarts java-tron with `startSyncBlockNum` at a height. Returns the messages that it sends. */
  async again(number: number): Promise<readonly Published[]> {
    return (await this.request(`again ${number}`)).published;
  }

  private async request(line: string): Promise<JavaPush> {
    const [answer = '', , head = '', list = ''] = await this.java.request(line);
    const published = list.split(',').flatMap((message) => {
      const [frame = '', text = ''] = message.split(':');
      return message === '' ? [] : [{ frame, payload: Buffer.from(text, 'base64').toString() }];
    });
    return { answer, head, published };
  }

  stop(): void {
    this.java.stop();
  }
}
