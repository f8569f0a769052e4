/** A schema with what real ones have: connections, interfaces and unions whose kinds disagree, circles, deprecations, files, and lists in lists. */
export const SHOP = `
"A shop that sells things to people who want things."
schema { query: Query mutation: Mutation subscription: Subscription }
scalar DateTime
scalar JSON
scalar Upload
scalar Weird
"How things stand."
enum Status { OPEN SHIPPED @deprecated(reason: "Use DONE.") DONE }
interface Node { id: ID! }
interface Actor { login: String! avatar(size: Int): String }
type User implements Node & Actor { id: ID! login: String! avatar(size: Int): String email: String state: String! friends(first: Int, after: String): UserConnection boss: User address: Address }
type Bot implements Node & Actor { id: ID! login: String! avatar(size: Int): String state: Int owner: User! }
type Address { street: String country: Country }
type Country { code: String! name: String capital: City }
type City { name: String mayor: User }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type UserEdge { cursor: String! node: User }
type UserConnection { edges: [UserEdge] pageInfo: PageInfo! totalCount: Int! }
type Order implements Node { id: ID! number: Int! status: Status! created: DateTime! note: String @deprecated(reason: "Gone.") extra: JSON buyer: User! lines(first: Int): LineConnection! tags: [String!]! grid: [[Int]] parent: Order total(currency: String!): Float events: [Event!]! actor: Actor }
type LineConnection { nodes: [Line!]! pageInfo: PageInfo! }
type Line { id: ID! name: String amount: Int order: Order }
union Event = Shipped | Refunded
type Shipped { at: DateTime! by: User carrier: String code: Int }
type Refunded { at: DateTime! by: Bot amount: Float code: String }
type Deep { a(needed: Int!): Int }
type OrderConnection { nodes: [Order!]! pageInfo: PageInfo! totalCount: Int! }
input Range { from: DateTime to: DateTime }
input OrderFilter { status: Status created: Range and: [OrderFilter!] text: String = "all" }
input LineInput { name: String! amount: Int! = 1 }
input OrderInput { number: Int! note: String lines: [LineInput!]! clientMutationId: String status: Status }
input OrderPatch { note: String status: Status = OPEN }
input Which @oneOf { id: ID number: Int }
type UserError { field: [String!] message: String! }
type OrderPayload { order: Order userErrors: [UserError!]! }
type Query {
  "One order by its id."
  order(id: ID!): Order
  orders(first: Int, after: String, last: Int, before: String, filter: OrderFilter): OrderConnection!
  orderBy(which: Which!): Order
  users(first: Int, after: String): UserConnection
  searchEverything(text: String!, weird: Weird): [Event!]!
  node(id: ID!): Node
  count: Int!
  names: [String!]
  deep: Deep
  old: String @deprecated(reason: "Use order.")
  _service: String
}
type Mutation {
  orderCreate(input: OrderInput!): OrderPayload
  updateOrder(id: ID!, input: OrderPatch!): OrderPayload
  orderDelete(id: ID!): ID
  archiveAll: Boolean!
  attach(file: Upload!, id: ID!): ID
  avatar(file: Upload, name: String!): ID
  order(id: ID!): ID
}
type Subscription { ticks: Int }
`
