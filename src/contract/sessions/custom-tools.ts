import { type Static, Type } from '../schema-type.ts'
import { Described, FreeObject, Nullable, Open, ToolkitSlug } from '../common.ts'
import { OptionalOrNull } from './common.ts'

const CustomToolShape = {
  slug: Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'Slug, at most 60 characters.',
  }),
  name: Type.String({ minLength: 1, maxLength: 256, description: 'Display name.' }),
  description: Type.String({
    minLength: 1,
    maxLength: 8_192,
    description: 'Description for the language model.',
  }),
  input_schema: Described(FreeObject, 'JSON Schema of the arguments.'),
  output_schema: Type.Optional(Described(FreeObject, 'JSON Schema of the result.')),
  preload: Type.Optional(
    Type.Boolean({
      description: 'Whether the tool is listed from the start, not only found by search. Default false.',
    }),
  ),
}

/** Tools that run in the process of the caller. They are not stored. */
export const CustomToolFields = {
  custom_tools: OptionalOrNull(
    Type.Array(
      Type.Object({
        ...CustomToolShape,
        extends_toolkit: Type.Optional(
          Described(ToolkitSlug, 'Slug of a toolkit that the tool is added to.'),
        ),
      }),
      {
        maxItems: 100,
        description: 'Tools that run in the process of the caller. They are not stored. At most 100.',
      },
    ),
  ),
  custom_toolkits: OptionalOrNull(
    Type.Array(
      Type.Object({
        slug: CustomToolShape.slug,
        name: CustomToolShape.name,
        description: CustomToolShape.description,
        preload: Type.Optional(
          Type.Boolean({
            description:
              'Whether the tools are listed from the start, not only found by search. Default false.',
          }),
        ),
        tools: Type.Array(Type.Object(CustomToolShape), {
          maxItems: 100,
          description: 'Tools of the group. At most 100.',
        }),
      }),
      {
        maxItems: 50,
        description:
          'Groups of tools that run in the process of the caller. They are not stored. At most 50.',
      },
    ),
  ),
}

export const CustomToolsBody = Type.Optional(Nullable(Type.Object(CustomToolFields)))

export type CustomTools = NonNullable<Static<typeof CustomToolsBody>>

export const CustomToolView = Open({
  slug: Type.String({ description: 'Slug under which the tool is called in the session.' }),
  original_slug: Type.String({ description: 'Slug that the request gave.' }),
  name: Type.String({ description: 'Display name.' }),
  description: Type.String({ description: 'Description for the language model.' }),
  input_schema: Open({}, { description: 'JSON Schema of the arguments.' }),
})
