import type { ErrorDefinition } from './definition.ts'

/** Errors of the playground (106xx). */
export const PLAYGROUND_ERRORS = {
  Playground_NoModel: {
    code: 10601,
    status: 409,
    fix: 'Set the language model of the project: PUT /org/project/model, or the playground of the console.',
  },
  Playground_ModelFailed: {
    code: 10602,
    status: 502,
    fix: 'Check the URL, the name of the model and the key. A private IP address needs an entry in EGRESS_ALLOW.',
  },
} as const satisfies Record<string, ErrorDefinition>
