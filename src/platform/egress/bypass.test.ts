import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EgressError, parseAllowRules } from './index.ts'
import { localEgress, namesResolveTo, serve } from '#fixtures/egress.ts'

const timeoutMs = 5_000

// What has been used against such guards, by how it hides: public lists (OWASP SSRF Prevention Cheat Sheet,
// PayloadsAllTheThings, the tests of libraries that were fixed) and the RFCs behind them.
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  'as it is': [
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '255.255.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '192.0.0.1',
    '198.18.0.1',
    '192.88.99.1',
  ],
  'as one number': [
    '2130706433',
    '3232235521',
    '2852039166',
    '0',
    '4294967295',
    '0x7f000001',
    '0xa9fea9fe',
    '017700000001',
    '025177524776',
  ],
  'in parts of other bases': [
    '0x7f.0x0.0x0.0x1',
    '0177.0.0.1',
    '0177.0.0.01',
    '0x7f.0.0.1',
    '0251.0376.0251.0376',
    '0xa9.0xfe.0xa9.0xfe',
    '0xA9.254.0251.254',
    '00000177.0.0.1',
    '0x0000007f.1',
  ],
  'in fewer parts': [
    '127.1',
    '127.0.1',
    '10.1',
    '192.168.257',
    '169.254.43518',
    '0x7f.1',
    '0177.1',
    '1.1.1.1.127.1',
  ],
  'with a dot at the end': [
    '127.0.0.1.',
    '0x7f.1.',
    '2130706433.',
    'localhost.',
    'a.localhost.',
    '169.254.169.254.',
  ],
  'in other digits and dots': [
    '①②⑦.⓪.⓪.①',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '⑯⑨.②⑤④.⑯⑨.②⑤④',
  ],
  'as a name of this machine': [
    'localhost',
    'LOCALHOST',
    'ｌｏｃａｌｈｏｓｔ',
    'local\u00adhost',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'anything.localhost',
  ],
  'percent-encoded': [
    '%31%32%37.0.0.1',
    '%6c%6f%63%61%6c%68%6f%73%74',
    '127%2e0%2e0%2e1',
    '%5b::1%5d',
    '127.0.0.1%00.example',
    '127.0.0.1%09',
  ],
  'as IPv6': [
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
  ],
  'as IPv4 in IPv6': [
    '[::ffff:127.0.0.1]',
    '[::FFFF:7F00:1]',
    '[0:0:0:0:0:ffff:a9fe:a9fe]',
    '[::ffff:10.0.0.1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2002:c0a8:1::1]',
    '[2001:0:7f00:1::]',
    '[2001::a9fe:a9fe]',
    '[fe80::5efe:127.0.0.1]',
  ],
  'with a zone': ['[fe80::1%25eth0]', '[::1%251]', '[fe80::1%eth0]'],
  'where clouds keep what only their machines may read': [
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '0xa83f8110',
    '[::ffff:168.63.129.16]',
    '192.0.0.192',
    '[fd20:ce::254]',
  ],
}

// The address that is meant is not the one that a careless reader sees.
const URLS = [
  'http://8.8.8.8@127.0.0.1/',
  'http://8.8.8.8:80@127.0.0.1/',
  'http://127.0.0.1#@8.8.8.8/',
  'http://127.0.0.1?@8.8.8.8/',
  'http://127.0.0.1\\@8.8.8.8/',
  'http:127.0.0.1/',
  'http:/127.0.0.1/',
  'http:\\\\127.0.0.1/',
  'http://\t127.0.0.1/',
  'ht\ntp://127.0.0.1/',
  ' http://127.0.0.1/',
  'http://8.8.8.8 @127.0.0.1/',
  'http://127.0.0.1:80:80/',
  'http://[::1/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'dict://127.0.0.1:11211/',
  'ftp://127.0.0.1/',
  'data:text/plain,x',
  'jar:http://127.0.0.1!/',
  'http://',
  '//127.0.0.1/',
  'unix:/run/docker.sock',
]

// Names lead there only once they are resolved.
const NAMES: Readonly<Record<string, string[]>> = {
  'loopback.example': ['127.0.0.1'],
  'six.example': ['::1'],
  'metadata.google.internal': ['169.254.169.254'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'nat64.example': ['64:ff9b::a9fe:a9fe'],
  '6to4.example': ['2002:7f00:1::'],
  'zone.example': ['fe80::1%eth0'],
  'wire.example': ['168.63.129.16'],
  'several.example': ['10.0.0.1', '192.168.0.1', 'fd00::1'],
  'nothing.example': ['0.0.0.0'],
  'xn--80ak6aa92e.example': ['127.0.0.1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
}

test('egress guard: no spelling, detour or name reaches a private address', async (t) => {
  const inside = await serve(t, (_request, response) => {
    response.end('secret')
  })
  const egress = localEgress(t, { allow: [], lookup: namesResolveTo(NAMES) })
  const ask = (url: string) =>
    egress.send({ method: 'GET', url, timeoutMs }).then(
      () => 'answered',
      (error: unknown) => (error instanceof EgressError ? error.kind : String(error)),
    )
  const attempts = [
    ...Object.entries(HOSTS).flatMap(([how, hosts]) =>
      hosts.map((host) => [how, `http://${host}:${inside.port}/`, host] as const),
    ),
    ...URLS.map((url) => ['a detour', url.replace('127.0.0.1/', `127.0.0.1:${inside.port}/`), url] as const),
    ...Object.keys(NAMES).map((name) => ['a name', `http://${name}:${inside.port}/`, name] as const),
  ]
  assert.ok(attempts.length > 120)
  for (const [how, url, what] of attempts) {
    const outcome = await ask(url)
    assert.ok(['refused_address', 'refused_url'].includes(outcome), `${how}: ${what} is ${outcome}`)
  }
  assert.equal(inside.connections(), 0)
})

test('egress guard: no redirect reaches a private address', async (t) => {
  const inside = await serve(t, (_request, response) => {
    response.end('secret')
  })
  let location = ''
  const outside = await serve(t, (_request, response) => {
    response.writeHead(302, { location }).end()
  })
  const egress = localEgress(t, {
    allow: parseAllowRules(`127.0.0.1:${outside.port}`),
    lookup: namesResolveTo(NAMES),
  })
  for (const to of [
    ...Object.values(HOSTS).map(([first]) => `http://${first}:${inside.port}/`),
    `//127.0.0.1:${inside.port}/`,
    'http://metadata.google.internal/',
    `http://[::ffff:127.0.0.1]:${inside.port}/`,
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
  ]) {
    location = Buffer.from(to).toString('latin1')
    await assert.rejects(
      egress.send({ method: 'GET', url: outside.url, timeoutMs }),
      (error: unknown) =>
        error instanceof EgressError && ['refused_address', 'refused_url'].includes(error.kind),
      to,
    )
  }
  assert.equal(inside.connections(), 0)
})

test('egress guard: an allowed address allows no other address in any spelling', async (t) => {
  const inside = await serve(t, (_request, response) => {
    response.end('open')
  })
  const egress = localEgress(t, { allow: parseAllowRules(`127.0.0.1:${inside.port}`) })
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])
    assert.equal(
      (
        await egress.send({ method: 'GET', url: `http://${host}:${inside.port}/`, timeoutMs })
      ).body.toString(),
      'open',
      'it is the same address',
    )
  for (const host of ['127.0.0.2', '127.2', '[::1]', '0.0.0.0', '0'])
    await assert.rejects(
      egress.send({ method: 'GET', url: `http://${host}:${inside.port}/`, timeoutMs }),
      { kind: 'refused_address' },
      host,
    )
})
