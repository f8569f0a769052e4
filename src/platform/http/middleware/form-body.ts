import { errorCodes, type FastifyInstance } from 'fastify'

const FORM_BYTES_MAX = 65_536
const FORM_FIELDS_MAX = 200

/** Accepts urlencoded forms, for the routes that declare `acceptsForms`. Others respond with 415. */
export function registerFormBodyParser(app: FastifyInstance): void {
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (request, text, done) => {
      const { acceptsForms } = request.routeOptions.config as { acceptsForms?: true }
      if (!acceptsForms) return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE())
      const fields = [...new URLSearchParams(text)].slice(0, FORM_FIELDS_MAX)
      done(null, Object.assign(Object.create(null), Object.fromEntries(fields.toReversed())))
    },
  )
}
