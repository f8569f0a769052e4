import type { FieldError } from '../../../auth-configs/index.ts'
import { type PageText, text } from '../language/index.ts'
import { fieldTexts } from './field-texts.ts'

/** Explains to the user how to fix a field of the application `app`. */
export function fieldErrorText({ problem: fault, field }: FieldError, app: string): PageText {
  const { example, enum: options } = field
  const name = fieldTexts(field, app).label
  if (fault === 'missing') return text(options ? 'field.choose' : 'field.enter', { name })
  if (fault === 'enum') return text('field.enum', { name })
  return [text('field.format', { name }), example ? text('field.example', { example }) : text('field.copy')]
}
