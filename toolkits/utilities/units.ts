import { type CodeTool, ToolFailure } from '../../src/catalog/code-tool.ts'
import { tidy } from './calculate.ts'
import { type Args, numeric, text } from './args.ts'

/**
 * How many of the first unit of its group one unit is. All are exact by definition, save those that end in
 * many digits.
 */
const GROUPS: Record<string, Record<string, number>> = {
  length: {
    m: 1,
    km: 1000,
    dm: 0.1,
    cm: 0.01,
    mm: 0.001,
    um: 1e-6,
    nm: 1e-9,
    in: 0.0254,
    ft: 0.3048,
    yd: 0.9144,
    mi: 1609.344,
    nmi: 1852,
  },
  mass: {
    kg: 1,
    g: 0.001,
    mg: 1e-6,
    ug: 1e-9,
    t: 1000,
    oz: 0.028349523125,
    lb: 0.45359237,
    st: 6.35029318,
    short_ton: 907.18474,
    long_ton: 1016.0469088,
  },
  area: {
    m2: 1,
    km2: 1e6,
    cm2: 1e-4,
    mm2: 1e-6,
    ha: 10_000,
    acre: 4046.8564224,
    in2: 0.00064516,
    ft2: 0.09290304,
    yd2: 0.83612736,
    mi2: 2589988.110336,
  },
  volume: {
    l: 1,
    ml: 0.001,
    cl: 0.01,
    dl: 0.1,
    m3: 1000,
    cm3: 0.001,
    in3: 0.016387064,
    ft3: 28.316846592,
    gal_us: 3.785411784,
    qt_us: 0.946352946,
    pt_us: 0.473176473,
    cup_us: 0.2365882365,
    floz_us: 0.0295735295625,
    tbsp_us: 0.01478676478125,
    tsp_us: 0.00492892159375,
    gal_uk: 4.54609,
    pt_uk: 0.56826125,
    floz_uk: 0.0284130625,
  },
  time: { s: 1, ms: 0.001, us: 1e-6, ns: 1e-9, min: 60, h: 3600, day: 86_400, week: 604_800 },
  speed: { 'm/s': 1, 'km/h': 1 / 3.6, mph: 0.44704, kn: 1852 / 3600, 'ft/s': 0.3048 },
  data: {
    byte: 1,
    bit: 0.125,
    kB: 1e3,
    MB: 1e6,
    GB: 1e9,
    TB: 1e12,
    PB: 1e15,
    KiB: 1024,
    MiB: 1024 ** 2,
    GiB: 1024 ** 3,
    TiB: 1024 ** 4,
    PiB: 1024 ** 5,
    kbit: 125,
    Mbit: 125_000,
    Gbit: 125_000_000,
  },
  energy: {
    J: 1,
    kJ: 1000,
    MJ: 1e6,
    cal: 4.184,
    kcal: 4184,
    Wh: 3600,
    kWh: 3.6e6,
    eV: 1.602176634e-19,
    BTU: 1055.05585262,
  },
  power: { W: 1, kW: 1000, MW: 1e6, hp: 745.69987158227022, PS: 735.49875 },
  pressure: {
    Pa: 1,
    hPa: 100,
    kPa: 1000,
    MPa: 1e6,
    bar: 100_000,
    mbar: 100,
    atm: 101_325,
    psi: 6894.757293168361,
    mmHg: 133.322387415,
  },
  angle: {
    rad: 1,
    deg: Math.PI / 180,
    grad: Math.PI / 200,
    turn: 2 * Math.PI,
    arcmin: Math.PI / 10_800,
    arcsec: Math.PI / 648_000,
  },
}

/** Unit to kelvin: (value + shift) * scale. */
const TEMPERATURES: Record<string, { shift: number; scale: number }> = {
  K: { shift: 0, scale: 1 },
  C: { shift: 273.15, scale: 1 },
  F: { shift: 459.67, scale: 5 / 9 },
  R: { shift: 0, scale: 5 / 9 },
}

const unit = (group: Record<string, number>, name: string) =>
  Object.hasOwn(group, name) ? group[name] : undefined

function convertTemperature(
  value: number,
  from: { shift: number; scale: number },
  to: { shift: number; scale: number },
): number {
  const kelvin = (value + from.shift) * from.scale
  if (kelvin < -1e-9) throw new ToolFailure('That is below absolute zero')
  // Sums of such different sizes leave noise after ten places.
  return Number((kelvin / to.scale - to.shift).toFixed(10))
}

export function convertUnits(value: number, from: string, to: string): { result: number; quantity: string } {
  if (Object.hasOwn(TEMPERATURES, from) && Object.hasOwn(TEMPERATURES, to)) {
    return {
      result: tidy(convertTemperature(value, TEMPERATURES[from]!, TEMPERATURES[to]!)),
      quantity: 'temperature',
    }
  }
  for (const [quantity, group] of Object.entries(GROUPS)) {
    const [one, other] = [unit(group, from), unit(group, to)]
    if (one !== undefined && other !== undefined) return { result: tidy((value * one) / other), quantity }
  }
  const known = (name: string) =>
    Object.hasOwn(TEMPERATURES, name) || Object.values(GROUPS).some((group) => Object.hasOwn(group, name))
  const stranger = [from, to].find((name) => !known(name))
  throw new ToolFailure(
    stranger === undefined
      ? `${from} and ${to} measure different things`
      : `"${stranger.slice(0, 30)}" is not a known unit (case matters)`,
  )
}

export const UNITS = [
  ...Object.values(GROUPS).flatMap((group) => Object.keys(group)),
  ...Object.keys(TEMPERATURES),
]

export const unitTools: Record<string, CodeTool> = {
  UTILITIES_CONVERT_UNITS: (args: Args) =>
    convertUnits(
      numeric(args, 'value', { min: -1e300, max: 1e300 }),
      text(args, 'from', { max: 20 }),
      text(args, 'to', { max: 20 }),
    ),
}
