import type { CommandRow } from './command-row.js';
import { dataRows } from './rows/data-rows.js';
import { nodeRows } from './rows/node-rows.js';
import { toolRows } from './rows/tool-rows.js';

/** All commands, in the order of the help. */
export const commandRows = [...nodeRows, ...dataRows, ...toolRows] as const;

/** Names of all commands as a union of literals. The compiler therefore finds a command without a module. */
export type CommandName = (typeof commandRows)[number]['name'];

/** A command whose name is one of `CommandName`. */
export type NamedCommand = CommandRow & { readonly name: CommandName };
