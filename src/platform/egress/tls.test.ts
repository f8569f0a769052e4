import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails, localEgress, namesResolveTo, serve, serveTls } from '#fixtures/egress.ts'
import { selfSignedCert } from '#fixtures/certificate.ts'

const timeoutMs = 5_000
const lookup = namesResolveTo({ 'tls.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] })

test('egress TLS: an untrusted certificate is rejected', async (t) => {
  const port = await serveTls(t, (_request, response) => {
    response.end()
  })
  await assert.rejects(
    localEgress(t, { lookup }).send({ method: 'GET', url: `https://tls.test:${port}/?s3cret`, timeoutMs }),
    fails('tls', /SELF_SIGNED/, ['s3cret']),
  )
})

test('egress TLS: a trusted certificate is valid for its name only', async (t) => {
  const port = await serveTls(t, (_request, response) => {
    response.end('ok')
  })
  const egress = localEgress(t, { lookup, ca: selfSignedCert })
  assert.equal(
    (await egress.send({ method: 'GET', url: `https://tls.test:${port}/`, timeoutMs })).body.toString(),
    'ok',
  )
  await assert.rejects(
    egress.send({ method: 'GET', url: `https://other.test:${port}/`, timeoutMs }),
    fails('tls'),
  )
})

test('egress TLS: https to a plain http server is a TLS error', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.end()
  })
  await assert.rejects(
    localEgress(t).send({ method: 'GET', url: `https://127.0.0.1:${server.port}/`, timeoutMs }),
    fails('tls'),
  )
})
