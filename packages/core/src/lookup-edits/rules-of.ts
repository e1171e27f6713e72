import { customFieldRules } from './custom-field-rules.ts';
import type { EditableLookupName } from './editable-lookups.ts';
import type { LookupRules } from './lookup-rules.ts';
import { pipelineRules } from './pipeline-rules.ts';
import { projectRules } from './project-rules.ts';
import { projectStageRules } from './project-stage-rules.ts';
import { stageRules } from './stage-rules.ts';

const rules: Readonly<Partial<Record<EditableLookupName, LookupRules>>> = {
  pipeline: pipelineRules,
  stage: stageRules,
  'custom-field': customFieldRules,
  project: projectRules,
  'project-stage': projectStageRules,
};

/** What holds for a list alone; nothing for most. */
export const rulesOf = (name: EditableLookupName): LookupRules => rules[name] ?? {};
