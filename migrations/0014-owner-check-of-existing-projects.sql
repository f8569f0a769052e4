-- New projects let a call name an account without its user. Existing projects keep the stricter default they had.
update projects set config = '{"is_2FA_enabled": true}'::jsonb || config;
