import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createFixture } from './fixture.ts'

const { catalog, world, run, exchanged } = await createFixture()
const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, logger: false })

/** Arguments that the wire cannot tell: of a file there are bytes, and not how they were given. */
const isFile = (request: unknown, name: string): boolean =>
  /"as":"(file|base64)"/.test(
    JSON.stringify(request)
      .split(`{"$":"${name}",`)
      .slice(1)
      .map((rest) => rest.slice(0, 20))
      .join(''),
  )

for (const toolkit of catalog.toolkits) {
  test(`${toolkit.slug}: every tool runs with all and with required arguments; the application has them`, async () => {
    const application = world.applications.get(toolkit.slug)!
    for (const { slug } of toolkit.tools) {
      const { tool } = catalog.tool(slug, 'latest')!
      for (const which of ['required', 'all'] as const) {
        application.reset()
        const { successful, error, data, sent } = await run(
          slug,
          application.exampleArguments(slug, which, tool.input),
        )
        assert.ok(successful, `${slug} with ${which}: ${error}`)
        if (!tool.request) continue
        assert.equal(exchanged.length, 1, slug)
        assert.equal(application.understood?.slug, slug, `${slug} is recognized among all tools`)
        const { args } = application.understood
        for (const [name, value] of Object.entries(sent)) {
          const isNothing =
            value === null ||
            value === '' ||
            (Array.isArray(value) && !value.length) ||
            (!Object.hasOwn(args, name) && !isSent(tool.manifest.request, name))
          if (!isNothing && !isFile(tool.manifest.request, name))
            assert.deepEqual(args[name], value, `${slug}.${name} with ${which}`)
        }
        assert.ok(
          ajv.validate(tool.output, data),
          `${slug} with ${which} answers what its output says: ${ajv.errorsText()} ` +
            `${JSON.stringify(data).slice(0, 300)}`,
        )
      }
    }
  })
}

/** An argument may choose nothing but a part of another. */
const isSent = (request: unknown, name: string): boolean =>
  JSON.stringify(request).includes(`"${name}"`) || JSON.stringify(request).includes(`{${name}`)
