import { countryLanguage, type OperationDeclaration, operations } from '@dealkeep/contract';
import { invalidField } from '@dealkeep/core';
import { today } from '../arguments/read-time.ts';
import { runOperation } from './run-operation.ts';
import { showRecord } from './show-record.ts';
import type { Tool } from './tool.ts';
