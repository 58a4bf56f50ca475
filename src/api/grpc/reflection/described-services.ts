import { JavaHashMap, javaHashOfText } from '../../../java-compat/hash-map.js';
import { onFirstUse } from '../../../primitives/on-first-use.js';
import { GrpcStatus } from '../grpc-reply.js';
import { type DescribedFile, describeFiles } from './described-files.js';
import { type ReflectionVersion, reflectionFile } from './schema-files.js';

export interface ReflectionRequest {
  readonly host: string;
  /**
   * Name of the field that is set in the oneof `message_request`, for example `fileByFilename`; undefined if none is
   * set.
   */
  readonly messageRequest?: string;
  readonly fileByFilename?: string;
  readonly fileContainingSymbol?: string;
}

/** Responds to reflection requests about the services of a port. Reference: ProtoReflectionService. */
export class DescribedServices {
  private readonly names: readonly string[];
  /**
   * Described files. They are created on first use, because creating them takes as long as opening the port, and few
   * clients request them.
   */
  private readonly files: () => ReadonlyMap<string, DescribedFile>;
  private readonly bySymbol = onFirstUse(() => {
    const files = [...this.files().values()];
    return new Map(files.flatMap((file) => file.symbols.map((symbol) => [symbol, file] as const)));
  });

  /**
   * @param services full names of the services of the port
   * @param versions versions of the reflection service: `v1`, `v1alpha`
   */
  constructor(services: readonly string[], versions: readonly ReflectionVersion[]) {
    const own = versions.map((version) => `grpc.reflection.${version}.ServerReflection`);
    this.names = listedNames([...services, ...own]);
    this.files = onFirstUse(() => describeFiles(['api/api.proto', ...versions.map(reflectionFile)]));
  }

  answer(request: ReflectionRequest): object {
    const { host, messageRequest } = request;
    const named = host === '' ? {} : { host };
    return {
      ...(host !== '' && { validHost: host }),
      originalRequest: { ...named, ...(messageRequest !== undefined && pick(request, messageRequest)) },
      ...this.found(request),
    };
  }

  private found({ messageRequest, fileByFilename, fileContainingSymbol }: ReflectionRequest): object {
    switch (messageRequest) {
      case 'listServices':
        return { listServicesResponse: { service: this.names.map((name) => ({ name })) } };
      case 'fileByFilename':
        return this.described(this.files().get(fileByFilename ?? ''), 'File not found.');
      case 'fileContainingSymbol':
        return this.described(this.bySymbol().get(fileContainingSymbol ?? ''), 'Symbol not found.');
      case 'fileContainingExtension':
        return refusal(GrpcStatus.NOT_FOUND, 'Extension not found.');
      case 'allExtensionNumbersOfType':
        return refusal(GrpcStatus.NOT_FOUND, 'Type not found.');
      default:
        return refusal(GrpcStatus.UNIMPLEMENTED, 'not implemented MESSAGEREQUEST_NOT_SET');
    }
  }

  /** Returns a file and all files that it imports directly or indirectly. Direct imports are first. */
  private described(file: DescribedFile | undefined, text: string): object {
    if (file === undefined) return refusal(GrpcStatus.NOT_FOUND, text);
    const needed = new Set([file]);
    for (const { imports } of needed) {
      for (const name of imports) {
        const other = this.files().get(name);
        if (other !== undefined) needed.add(other);
      }
    }
    return { fileDescriptorResponse: { fileDescriptorProto: [...needed].map(({ bytes }) => bytes) } };
  }
}

/**
 * Sorts names as java-tron lists them. java-tron copies the names from one Java hash set to a second one, and lists the
 * second set in its iteration order.
 */
function listedNames(names: readonly string[]): string[] {
  const inner = setOf(names);
  return setOf(inner, 2 ** Math.ceil(Math.log2(inner.length)));
}

function setOf(names: readonly string[], buckets?: number): string[] {
  const set = new JavaHashMap<string, undefined>(javaHashOfText, buckets);
  for (const name of names) set.set(name, undefined);
  return set.entries().map(([name]) => name);
}

function pick(request: ReflectionRequest, name: string): object {
  return { [name]: (request as unknown as Readonly<Record<string, unknown>>)[name] };
}

function refusal(errorCode: number, errorMessage: string): object {
  return { errorResponse: { errorCode, errorMessage } };
}
