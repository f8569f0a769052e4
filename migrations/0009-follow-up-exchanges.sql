-- Requests that follow a token request, so that a diagnosis does not take their answers for those of the token endpoint.
alter table connection_exchanges drop constraint connection_exchanges_kind_check;
alter table connection_exchanges add constraint connection_exchanges_kind_check check (kind in ('start', 'code', 'refresh', 'sign_in', 'revoke', 'probe', 'follow_up'));
