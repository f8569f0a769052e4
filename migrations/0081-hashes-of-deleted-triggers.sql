-- A plain hash reveals the configuration of a trigger to whoever guesses it. Nothing finds deleted triggers by it.
update trigger_instances set config_hash = 'deleted:' || id where deleted_at is not null;
