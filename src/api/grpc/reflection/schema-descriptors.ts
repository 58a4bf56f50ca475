import protobuf from 'protobufjs';

// This module replaces the function `toDescriptor` of protobufjs. That function shortens type names to their last part,
// and adds JSON names, which java-tron does not send.

/** Fields of `FieldDescriptorProto` (`google/protobuf/descriptor.proto`) that java-tron's schemas use. */
interface FieldDescriptor {
  readonly name: string;
  readonly number: number;
  readonly label: number;
  readonly type: number;
  readonly typeName?: string;
  readonly oneofIndex?: number;
}

interface TypeDescriptor {
  readonly name: string;
  readonly field: readonly FieldDescriptor[];
  readonly nestedType: readonly TypeDescriptor[];
  readonly enumType: readonly object[];
  readonly oneofDecl: readonly object[];
  readonly options?: { readonly mapEntry: true };
}

/** Numbers of field types. Source: FieldDescriptorProto.Type. */
const TYPES: Readonly<Record<string, number>> = {
  double: 1,
  float: 2,
  int64: 3,
  uint64: 4,
  int32: 5,
  fixed64: 6,
  fixed32: 7,
  bool: 8,
  string: 9,
  bytes: 12,
  uint32: 13,
  sfixed32: 15,
  sfixed64: 16,
  sint32: 17,
  sint64: 18,
};
const MESSAGE = 11;
const ENUM = 14;
/** Number of the field label `optional`. Source: FieldDescriptorProto.Label. */
const OPTIONAL = 1;
/** Number of the field label `repeated`. Source: FieldDescriptorProto.Label. */
const REPEATED = 3;

/** Returns the `DescriptorProto` of a message type. Type names in the message type must already be resolved. */
export function describeType(type: protobuf.Type): TypeDescriptor {
  const maps = type.fieldsArray.filter((field) => field instanceof protobuf.MapField);
  return {
    name: type.name,
    field: type.fieldsArray.map((field) => describeField(type, field)),
    nestedType: [
      ...maps.map(describeEntry),
      ...type.nestedArray.flatMap((inner) => (inner instanceof protobuf.Type ? [describeType(inner)] : [])),
    ],
    enumType: type.nestedArray.flatMap((inner) => (inner instanceof protobuf.Enum ? [describeEnum(inner)] : [])),
    oneofDecl: type.oneofsArray.map(({ name }) => ({ name })),
  };
}

/** Returns the `EnumDescriptorProto` of an enumeration. */
export function describeEnum({ name, values }: protobuf.Enum): object {
  return { name, value: Object.entries(values).map(([value, number]) => ({ name: value, number })) };
}

/** Returns the `ServiceDescriptorProto` of a service. */
export function describeService({ name, methodsArray }: protobuf.Service): object {
  const method = methodsArray.map(({ name, resolvedRequestType, resolvedResponseType, ...streams }) => ({
    name,
    inputType: resolvedRequestType?.fullName,
    outputType: resolvedResponseType?.fullName,
    ...(streams.requestStream === true && { clientStreaming: true }),
    ...(streams.responseStream === true && { serverStreaming: true }),
  }));
  return { name, method };
}

function describeField(type: protobuf.Type, field: protobuf.Field): FieldDescriptor {
  const { name, id: number, repeated, partOf } = field;
  if (field instanceof protobuf.MapField) {
    return { name, number, label: REPEATED, type: MESSAGE, typeName: `${type.fullName}.${entryName(field)}` };
  }
  return {
    name,
    number,
    label: repeated ? REPEATED : OPTIONAL,
    ...valueType(field),
    ...(partOf !== null && { oneofIndex: type.oneofsArray.indexOf(partOf) }),
  };
}

function valueType({
  type,
  resolvedType,
}: Pick<protobuf.Field, 'type' | 'resolvedType'>): Pick<FieldDescriptor, 'type' | 'typeName'> {
  const known = TYPES[type];
  if (known !== undefined) return { type: known };
  const named = resolvedType instanceof protobuf.Enum ? ENUM : MESSAGE;
  return { type: named, ...(resolvedType !== null && { typeName: resolvedType.fullName }) };
}

/** Returns the descriptor of the message that encodes the entries of a map field. */
function describeEntry(field: protobuf.MapField): TypeDescriptor {
  const key = { name: 'key', number: 1, label: OPTIONAL, type: TYPES[field.keyType] ?? MESSAGE };
  const value = { name: 'value', number: 2, label: OPTIONAL, ...valueType(field) };
  return {
    name: entryName(field),
    field: [key, value],
    nestedType: [],
    enumType: [],
    oneofDecl: [],
    options: { mapEntry: true },
  };
}

/**
 * Returns protoc's name of the entry message of a map field: `AssetEntry` for `asset`, `AssetV2Entry` for
 * `asset_v2`.
 */
function entryName({ name }: protobuf.MapField): string {
  const camel = name.replace(/(?:^|_)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
  return `${camel}Entry`;
}
