#!/usr/bin/env node
import { runCommand } from './cli/commands.ts';
import { processIo } from './cli/io.ts';

const code = await runCommand(process.argv.slice(2), processIo());
if (code !== null) process.exitCode = code;
