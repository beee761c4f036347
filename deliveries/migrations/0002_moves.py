"""The table of transitions as triggers: no statement, whoever sends it, can make another move."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION deliveries_delivery_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'queued' THEN
            RAISE EXCEPTION 'a delivery begins queued, not %', NEW.status
                USING ERRCODE = 'check_violation', CONSTRAINT = 'delivery_moves';
        END IF;
        RETURN NEW;
    END IF;
    IF OLD.status <> NEW.status AND NOT (OLD.status || '>' || NEW.status) = ANY (ARRAY[
        'queued>sealed', 'queued>expired',
        'sealed>sent', 'sealed>unconfirmed', 'sealed>failed', 'sealed>queued',
        'unconfirmed>sent', 'unconfirmed>failed', 'failed>queued'])
    THEN
        RAISE EXCEPTION 'a delivery cannot go from % to %', OLD.status, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'delivery_moves';
    END IF;
    IF OLD.route <> NEW.route AND NEW.status <> 'queued' THEN
        RAISE EXCEPTION 'a delivery changes its route only while queued, not when %', NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'delivery_route_only_while_queued';
    END IF;
    IF OLD.mail_id <> NEW.mail_id THEN
        RAISE EXCEPTION 'a delivery is carried by one mail, and moves to no other'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'delivery_keeps_its_mail';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER delivery_moves BEFORE INSERT OR UPDATE ON deliveries_delivery
    FOR EACH ROW EXECUTE FUNCTION deliveries_delivery_moves();

CREATE FUNCTION deliveries_mail_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status NOT IN ('sealed', 'sending') THEN
            RAISE EXCEPTION 'a mail begins sealed or sending, not %', NEW.status
                USING ERRCODE = 'check_violation', CONSTRAINT = 'mail_moves';
        END IF;
        RETURN NEW;
    END IF;
    IF OLD.status <> NEW.status AND NOT (OLD.status || '>' || NEW.status) = ANY (ARRAY[
        'sealed>sent', 'sealed>failed', 'sealed>unconfirmed', 'sealed>void',
        'sending>sent', 'sending>failed', 'sending>unconfirmed', 'sending>void',
        'unconfirmed>sent', 'unconfirmed>failed'])
    THEN
        RAISE EXCEPTION 'a mail cannot go from % to %', OLD.status, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'mail_moves';
    END IF;
    IF NEW.body IS NOT NULL AND NEW.body IS DISTINCT FROM OLD.body
        OR NEW.recipient <> OLD.recipient OR NEW.kind <> OLD.kind OR NEW.subject <> OLD.subject
        OR NEW.digest_on IS DISTINCT FROM OLD.digest_on
    THEN
        RAISE EXCEPTION 'a mail is written once; its bytes can only be blanked'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'mail_is_written_once';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER mail_moves BEFORE INSERT OR UPDATE ON deliveries_mail
    FOR EACH ROW EXECUTE FUNCTION deliveries_mail_moves();
"""

BACKWARD = """
DROP TRIGGER mail_moves ON deliveries_mail;
DROP FUNCTION deliveries_mail_moves();
DROP TRIGGER delivery_moves ON deliveries_delivery;
DROP FUNCTION deliveries_delivery_moves();
"""


class Migration(migrations.Migration):
    """Add both triggers."""

    dependencies = (("deliveries", "0001_initial"),)
    operations = (migrations.RunSQL(FORWARD, BACKWARD),)
