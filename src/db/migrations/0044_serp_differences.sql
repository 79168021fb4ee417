-- Results that differ little from the market's last ones are stored as the difference. `whole_on`
-- is the day of the whole list with which their chain begins; null for results that are whole. A
-- chain stays within its month, so that dropping a month breaks none.
alter table serps add column whole_on date check (whole_on < on_date);

-- Here the lists are whole. `whole_on` is the day with which the chain begins that the next results
-- may continue.
alter table last_serps add column whole_on date;
update last_serps set whole_on = on_date;
alter table last_serps alter column whole_on set not null;
