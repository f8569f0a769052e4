import type { Fit } from '../../../../catalog/index.ts'

/** Why nothing fits, and what to do next. */
export function misfitReason(misfit: Fit['misfit']): string {
  switch (misfit?.kind) {
    case 'not_installed': {
      const slug = misfit.application.toLowerCase().replace(/[^a-z0-9]+/g, '_')
      return (
        `${misfit.application} is not installed: \`patchbay toolkits import <OpenAPI document> --slug ${slug}\`. ` +
        'Tell the user; an administrator can run it.'
      )
    }
    case 'no_tools':
      return `${misfit.application} has no tools here.`
    case 'no_such_action':
      return `No tool of ${misfit.application} ${thirdPerson(misfit.verb)} ${withArticle(misfit.object)}.`
    default:
      return 'No tool does this. Describe the task in other words, or name the application.'
  }
}

/** `delete` as `deletes`, `copy` as `copies`, `push` as `pushes`. */
function thirdPerson(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`
}

/** A thing, or several, as in a sentence: `a repository`, `an issue`, `comments`. */
function withArticle(object: string): string {
  if (/[^s]s$/.test(object)) return object
  return `${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object}`
}
